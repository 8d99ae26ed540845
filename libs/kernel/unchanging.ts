/** The same value, in which nobody changes anything in place. */
export type Unchanging<T> = T extends readonly (infer I)[]
  ? readonly Unchanging<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanging<T[K]> }
    : T;
