import { readdirSync, readFileSync } from 'node:fs';

export const STREAM_LIST = 'libs/features/streams.generated.ts';
const DOMAIN = /^(domain|features\/[^/]+\/domain)\/[^/]+\.ts$/;
const DECLARED = /^export const (\w+) = defineStream\(/gm;

/** Lists every stream of the domain folders. Reads the sources as text, so a deleted stream leaves no broken import. */
export function streamList(): string {
  const paths = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(path => DOMAIN.test(path));
  const found = paths.sort().flatMap(path => {
    const text = readFileSync(`libs/${path}`, 'utf8');
    return [...text.matchAll(DECLARED)].map(([, name]) => ({ name: name!, path: path.replace(/\.ts$/, '.js') }));
  });
  return [
    '// Made by `npm run generate` from the domain folders.',
    found.map(({ name, path }) => `import { ${name} } from '#libs/${path}';`).join('\n'),
    '',
    '/** Every kind of stream: the event types and the states that an auditor folds follow from this list. */',
    `export const STREAMS = [\n${found.map(({ name }) => `  ${name},\n`).join('')}] as const;`,
  ].join('\n');
}
