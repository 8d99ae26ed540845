/** Design tokens. Text has a contrast of at least 4.5 to 1 on its ground (WCAG 2.2, 1.4.3). */
export const TOKENS = `
:root { color-scheme: light dark;
  --ground: #fbfbf9; --surface: #fff; --raised: #f1f1ed; --text: #1c1d1f; --quiet: #595d63; --line: #dddcd5; --field: #85888e;
  --accent: #0b57a4; --on-accent: #fff; --good: #17633a; --good-soft: #e2f2e8; --warn: #9a3412; --warn-soft: #fbe9e0;
  --info-soft: #e3edf8; --plot: #3d6f9e;
  --text-s: .8125rem; --text-m: 1rem; --text-l: 1.1875rem; --text-xl: 1.5625rem; --text-xxl: 2.125rem;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-6: 1.5rem; --space-8: 2.25rem;
  --radius: .5rem; --radius-s: .25rem; --measure: 46rem; --page: 68rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  --mono: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #131416; --surface: #191b1e; --raised: #22252a; --text: #e6e6e2; --quiet: #a6aab0; --line: #33363b; --field: #7d8289;
  --accent: #8ab8f0; --on-accent: #0d1b2c; --good: #86d3a5; --good-soft: #16301f; --warn: #f0a07a; --warn-soft: #3a2117;
  --info-soft: #1a2a3d; --plot: #6d9cc9; } }
`;
