/** The address of a feed with its filters: one that was not given is left out. */
export function selfAddress(
  url: string,
  path: string,
  filters: { readonly [name: string]: string | undefined },
): string {
  const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const query = new URLSearchParams(given).toString();
  return url + path + (query && `?${query}`);
}
