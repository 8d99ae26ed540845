import { format, resolveConfig } from 'prettier';

export async function formatFile(file: string, text: string): Promise<string> {
  return file.endsWith('.py') ? text : format(text, { ...(await resolveConfig('package.json')), filepath: file });
}
