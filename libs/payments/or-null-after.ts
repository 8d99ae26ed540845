export async function orNullAfter<T>(timeoutMs: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>(resolve => (timer = setTimeout(resolve, timeoutMs, null)));
  try {
    return await Promise.race([answer, timeout]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
