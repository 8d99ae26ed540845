/** Text has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
export const COLOURS = `
:root { color-scheme: light dark; --ground: #fbfbf9; --raised: #f1f1ed; --text: #1c1d1f; --quiet: #595d63; --line: #d9d9d2;
  --link: #0b57a4; --mark: #1a6b3c; --warn: #9a3412; --plot: #3d6f9e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #131416; --raised: #1d1f22; --text: #e4e4e0; --quiet: #a3a7ad; --line: #34373b; --link: #8ab8f0;
    --mark: #7fcf9f; --warn: #f0a07a; --plot: #6d9cc9; }
}
`;
