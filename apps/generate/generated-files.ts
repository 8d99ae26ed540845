import { format, resolveConfig } from 'prettier';
import { FEATURES } from '#libs/features/features.js';
import { characterTable } from './characters.js';
import { clientSource } from './client.js';
import { fillPage } from './fill-page.js';
import { hostSections } from './hosts.js';
import { libraryGraph } from './library-graph.js';
import { pythonCodes, pythonSource } from './python-client.js';
import { referenceTables } from './reference.js';
import { STREAM_LIST, streamList } from './stream-list.js';

export const CLIENT = 'libs/client/operations.generated.ts';
export const PYTHON_CLIENT = 'libs/client-python/src/agent_job_network/operations.py';
export const PYTHON_CODES = 'libs/client-python/src/agent_job_network/codes.py';
export const REFERENCE = 'docs/reference.md';
const ARCHITECTURE = 'docs/architecture.md';
const AGENTS = 'docs/agents.md';
export const CHARACTERS = 'libs/kernel/characters.generated.ts';

/** Contents of all generated files. Paths are relative to the root. */
export async function generateFiles(read: (path: string) => string): Promise<{ file: string; text: string }[]> {
  const files = [
    { file: STREAM_LIST, text: streamList() },
    { file: CLIENT, text: clientSource(FEATURES) },
    { file: PYTHON_CLIENT, text: pythonSource(FEATURES) },
    { file: PYTHON_CODES, text: pythonCodes() },
    { file: REFERENCE, text: fillPage(read(REFERENCE), referenceTables(FEATURES)) },
    { file: AGENTS, text: fillPage(read(AGENTS), [hostSections()]) },
    { file: ARCHITECTURE, text: fillPage(read(ARCHITECTURE), [libraryGraph()]) },
    { file: CHARACTERS, text: await characterTable() },
  ];
  const options = await resolveConfig('package.json');
  const formatted = (file: string, text: string) =>
    file.endsWith('.py') ? text : format(text, { ...options, filepath: file });
  return Promise.all(files.map(async ({ file, text }) => ({ file, text: await formatted(file, text) })));
}
