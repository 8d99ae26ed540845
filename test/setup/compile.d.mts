export function compile(path: string): string;
export function findSourceMap(url: string): string | undefined;
