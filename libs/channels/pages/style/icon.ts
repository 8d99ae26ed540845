/** The icon of the pages (SVG). */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="5.5" cy="8" r="4.5" fill="#0b5cad"/><circle cx="10.5" cy="8" r="4.5" fill="#3d8fd9" fill-opacity="0.75"/></svg>';
