// What cannot wait for the console's own script, which is a hundred times as long: light or dark, so that a dark page
// does not flash, and the first questions, so that their answers are there when it has come. The name in the store is
// Mantine's; who takes the answers is data/early-answers.ts.

{
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // A browser that keeps nothing shows what its system shows.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
}

{
  const FIRST_PAGE = [
    '/v1/overview',
    '/v1/budgets',
    '/v1/prices/missing',
    '/v1/info',
    '/v1/keys?order=spent&limit=20',
  ]
  const early = new Map()
  const ask = (path) => {
    const answer = fetch(path, {
      headers: { Accept: 'application/json' },
      credentials: 'same-origin',
    })
    // Whoever takes it is told; until then nobody is.
    answer.catch(() => {})
    early.set(path, answer)
    return answer
  }
  const isEntrance = ['/sign-in', '/setup', '/welcome'].includes(location.pathname)
  if (!isEntrance) {
    const session = ask('/v1/session')
    const askFirstPage = ({ ok }) => {
      if (ok) for (const path of FIRST_PAGE) void ask(path)
    }
    if (location.pathname === '/') session.then(askFirstPage, () => {})
  }
  globalThis.weirEarly = early
}
