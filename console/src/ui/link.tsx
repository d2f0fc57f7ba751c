// Links within the console. ui/ knows no routes: LinkProvider says how an address is followed
// without reloading the page; without it, a link is a plain link.

import { Anchor } from '@mantine/core'
import type { AnchorProps } from '@mantine/core'
import { createContext, useContext } from 'react'
import type { AnchorHTMLAttributes, FunctionComponent, ReactNode, Ref } from 'react'

export interface PlainLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
  readonly ref?: Ref<HTMLAnchorElement>
}

export function PlainLink(props: PlainLinkProps) {
  return <a {...props} />
}

const LinkContext = createContext<FunctionComponent<PlainLinkProps>>(PlainLink)

export const LinkProvider = LinkContext.Provider

/** For `component` props: `<Button component={useLink()} href="/keys">`. */
export function useLink(): FunctionComponent<PlainLinkProps> {
  return useContext(LinkContext)
}

export interface TextLinkProps extends AnchorProps {
  readonly href: string
  readonly target?: '_blank'
  readonly children: ReactNode
  /** Where the text alone does not say what it links to. */
  readonly label?: string
  /** Of a link that opens and closes what is below it. */
  readonly isOpen?: boolean | undefined
}

/** A link in running text or a cell. */
export function TextLink({ href, children, label, isOpen, ...look }: TextLinkProps) {
  const named = label === undefined ? {} : { 'aria-label': label }
  return (
    <Anchor component={useLink()} href={href} inherit aria-expanded={isOpen} {...named} {...look}>
      {children}
    </Anchor>
  )
}
