// The reference page's style, in the console's colours, light and dark. Nothing is fetched.

export const REFERENCE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f7f8, #0e1418);
  --card: light-dark(#ffffff, #161e24);
  --inset: light-dark(#eef2f4, #0b1115);
  --line: light-dark(#dbe2e6, #2a363e);
  --ink: light-dark(#14212a, #e8eef1);
  --soft: light-dark(#51626d, #9fb0ba);
  --accent: light-dark(#0b6e8f, #5cc4e6);
  --good: light-dark(#1d7a4c, #5fd39b);
  --bad: light-dark(#a8322a, #ff9b92);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace;
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
  line-height: 1.6;
  color: var(--ink);
  background: var(--ground);
  scroll-padding-top: 1.5rem;
}
* { box-sizing: border-box; }
body { margin: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
pre code { font-size: 1em; }
p { margin: 0 0 0.9rem; max-width: 68ch; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; font-weight: 650; }
h1 { font-size: clamp(1.6rem, 4vw, 2.1rem); letter-spacing: -0.015em; }
h2 { font-size: 1.35rem; margin: 3.2rem 0 0.9rem; letter-spacing: -0.01em; }
h4 { font-size: 0.95rem; margin: 1.8rem 0 0.6rem; }
.page { width: min(78rem, 100% - 2.5rem); margin-inline: auto; padding-block: clamp(1.5rem, 5vw, 3.2rem) 5rem; }
.soft { color: var(--soft); }
.lead { margin-top: 1.2rem; }
nav { font-size: 0.92rem; margin-top: 1.8rem; padding: 1rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
nav ul { list-style: none; margin: 0 0 0.8rem; padding: 0; }
nav ul:last-child { margin-bottom: 0; }
nav li { padding-block: 0.18rem; }
nav p { margin: 0 0 0.2rem; color: var(--soft); font-size: 0.82rem; }
nav a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
section.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: clamp(1.1rem, 3vw, 1.8rem); margin-block: 1.2rem; }
section.card > p { margin-top: 0.8rem; }
section.card > p + p { margin-top: 0; }
h3 { display: flex; flex-wrap: wrap; gap: 0.35rem 0.7rem; align-items: baseline; font-size: 1.08rem; }
h3 code { font-size: 1em; }
h3 small { flex-basis: 100%; font-size: 0.95rem; font-weight: 400; color: var(--soft); }
.method { font: 650 0.78rem var(--mono); color: var(--accent); border: 1px solid currentColor; border-radius: 5px; padding: 0.1rem 0.4rem; }
pre { margin: 0.6rem 0 0; padding: 0.85rem 1rem; background: var(--inset); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; line-height: 1.5; tab-size: 2; }
pre.copy { user-select: all; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { display: flex; flex-wrap: wrap; gap: 0.2rem 0.7rem; align-items: baseline; padding-top: 0.75rem; border-top: 1px solid var(--line); }
dt code { font-weight: 650; color: var(--ink); }
dt span { color: var(--soft); font-size: 0.86rem; overflow-wrap: anywhere; }
dt .needed { color: var(--bad); }
dd { margin: 0.2rem 0 0.75rem; font-size: 0.94rem; max-width: 68ch; }
dd p { margin: 0.25rem 0 0; }
.status { font: 650 0.9rem var(--mono); }
.status.ok { color: var(--good); }
.status.fault { color: var(--bad); }
.values code { display: inline-block; margin: 0.15rem 0.3rem 0.15rem 0; padding: 0 0.4rem; background: var(--inset); border: 1px solid var(--line); border-radius: 5px; }
details { margin-top: 0.5rem; }
summary { cursor: pointer; color: var(--accent); font-size: 0.9rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.94rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 0.86rem; }
th, td { padding: 0.5rem 1.2rem 0.5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td code { white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
@media (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 3rem; align-items: start; }
  nav { position: sticky; top: 1.5rem; max-height: calc(100vh - 3rem); overflow-y: auto; margin-top: 3.4rem; }
  main > h2:first-child { margin-top: 3.2rem; }
}
@media print { nav { display: none; } details > * { display: block; } }
`
