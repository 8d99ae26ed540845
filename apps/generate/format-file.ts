import { format, resolveConfig } from 'prettier';

export async function formatFile(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig('package.json')), filepath: file });
}
