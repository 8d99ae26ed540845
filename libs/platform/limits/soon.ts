/**
 * What is there already, or soon. Counters in memory answer at once, and each promise that is not made saves a request
 * more than the counting itself takes.
 */
export type Soon<T> = T | Promise<T>;

export function soon<A, B>(value: Soon<A>, next: (value: A) => Soon<B>): Soon<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All of them, once each is there. */
export function allSoon<A>(values: readonly Soon<A>[]): Soon<A[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as A[]);
}
