// What surrounds every page: the mark, the navigation, the theme, and who has signed in. At phone
// width the navigation becomes a drawer. The first tab stop skips to the page.

import { ActionIcon, Burger, Group, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { BrandMark, SearchIcon } from './icons.tsx'
import type { Icon } from './icons.tsx'
import { useLink } from './link.tsx'
import { SchemeSwitch, TimesSwitch, UserMenu } from './shell-tools.tsx'
import type { TimesSwitchProps, UserMenuProps } from './shell-tools.tsx'

export interface NavigationItem {
  readonly label: string
  readonly href: string
  readonly icon: Icon
}

export interface NavigationGroup {
  readonly label: string
  readonly items: readonly NavigationItem[]
}

export interface ShellProps extends UserMenuProps {
  readonly navigation: readonly NavigationGroup[]
  /** The current path; the item of this path, or above it, is marked. */
  readonly path: string
  /** At the foot of the navigation. */
  readonly version: string | null
  readonly times: TimesSwitchProps
  /** Opens the field that goes anywhere. */
  readonly onSearch: () => void
  /** Above every page. */
  readonly banner?: ReactNode
  readonly children: ReactNode
}

export function Shell(props: ShellProps) {
  const { navigation, path, version, times, onSearch, banner, children, ...user } = props
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const main = useFocusOnChange(path)
  const Link = useLink()
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="shell-header">
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
          title={isOpen ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={isOpen}
        />
        <Link className="brand" href="/">
          <BrandMark />
          Weir
        </Link>
        <Group gap={4} ml="auto" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Go to (Ctrl K)"
            title="Go to a page, key, budget, model or call (Ctrl K)"
            onClick={onSearch}
          >
            <SearchIcon />
          </ActionIcon>
          <TimesSwitch {...times} />
          <SchemeSwitch />
          <UserMenu {...user} />
        </Group>
      </header>
      <nav className="shell-navigation" aria-label="Main" data-open={isOpen || undefined}>
        {navigation.map((group) => (
          <NavigationSection key={group.label} group={group} path={path} onFollow={close} />
        ))}
        {version !== null && (
          <Text size="xs" c="dimmed" className="shell-version">
            Weir {version}
          </Text>
        )}
      </nav>
      <main id="main" tabIndex={-1} ref={main} className="shell-main">
        <div className="shell-page">
          {banner}
          {children}
        </div>
      </main>
    </>
  )
}

interface NavigationSectionProps {
  readonly group: NavigationGroup
  readonly path: string
  readonly onFollow: () => void
}

function NavigationSection({ group, path, onFollow }: NavigationSectionProps) {
  const Link = useLink()
  const id = `navigation-${group.label.toLowerCase().replaceAll(' ', '-')}`
  return (
    <div className="navigation-group">
      <Text size="xs" c="dimmed" fw={500} id={id} className="navigation-label">
        {group.label}
      </Text>
      <ul className="navigation-list" aria-labelledby={id}>
        {group.items.map(({ label, href, icon: ItemIcon }) => {
          const isHere = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
          return (
            <li key={href}>
              <NavLink
                component={Link}
                href={href}
                label={label}
                leftSection={<ItemIcon />}
                active={isHere}
                {...(isHere ? { 'aria-current': 'page' as const } : {})}
                onClick={onFollow}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Otherwise a screen reader would stay at the link and not notice the new page. */
function useFocusOnChange(path: string) {
  const main = useRef<HTMLElement>(null)
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
