// Sets light or dark before the page is drawn, so that a dark page does not flash white while the
// console's own script loads. The name in the store is Mantine's.

let chosen = null
try {
  chosen = localStorage.getItem('mantine-color-scheme-value')
} catch {
  // A browser that stores nothing follows its system.
}
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
