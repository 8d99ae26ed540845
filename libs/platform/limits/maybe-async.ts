/** A value or a promise. In-memory counters return values, because a promise costs more than the counting. */
export type MaybeAsync<T> = T | Promise<T>;

export function mapMaybeAsync<A, B>(value: MaybeAsync<A>, next: (value: A) => MaybeAsync<B>): MaybeAsync<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export function allMaybeAsync<A>(values: readonly MaybeAsync<A>[]): MaybeAsync<A[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as A[]);
}
