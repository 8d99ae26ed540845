import { render } from 'preact-render-to-string';

export const BrandMark = () => (
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="4" fill="#0b57a4" />
    <path d="M4.5 11.2 8 4.8l3.5 6.4z" fill="none" stroke="#9cc6f2" stroke-width="1.2" />
    <circle cx="8" cy="4.8" r="2.1" fill="#fff" />
    <circle cx="4.5" cy="11.2" r="2.1" fill="#fff" />
    <circle cx="11.5" cy="11.2" r="2.1" fill="#fff" />
  </svg>
);

/** The icon of the pages (SVG). */
export const ICON = render(<BrandMark />);
