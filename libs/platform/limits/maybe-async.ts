/**
 * What is there already, or soon. Counters in memory answer at once, and each promise that is not made saves a request
 * more than the counting itself takes.
 */
export type MaybeAsync<T> = T | Promise<T>;

export function mapMaybeAsync<A, B>(value: MaybeAsync<A>, next: (value: A) => MaybeAsync<B>): MaybeAsync<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All of them, once each is there. */
export function allMaybeAsync<A>(values: readonly MaybeAsync<A>[]): MaybeAsync<A[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as A[]);
}
