/** As the rules of `register`, for forms in the page and in the browser. */
export const NAME_MAX = 40;
export const HEADLINE_MAX = 100;
