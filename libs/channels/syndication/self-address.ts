export function selfAddress(
  url: string,
  path: string,
  filters: { readonly [name: string]: string | undefined },
): string {
  const values = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const query = new URLSearchParams(values).toString();
  return url + path + (query && `?${query}`);
}
