/** Whether the caller has this answer already, by its `if-none-match`: weak comparison (RFC 9110, 13.1.2). */
export function matches(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
