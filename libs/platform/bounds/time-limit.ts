/** The result of `work`, or else of `late`, which may throw, if `work` takes longer. Late failures of it are ignored. */
export function within<T, L>(timeoutMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>(resolve => (timer = setTimeout(resolve, timeoutMs))).then(late);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
