import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { newFolder, World, type WorldOptions } from '../world.js';

interface SearchAnswer {
  readonly people: readonly { readonly muse_id: string }[];
  readonly jobs: readonly { readonly title: string }[];
}

const folder = newFolder();
const documents: readonly (readonly [string, WorldOptions])[] = [
  ['SQLite', {}],
  ...(mongodb.available
    ? [['MongoDB', { folder, settings: { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) } }] as const]
    : []),
];

/** Title and summary of a job in each language. */
const JOBS = {
  english: ['Translate a page', 'Check each invoice, and then transcribe two interviews with the customers.'],
  german: ['Rechnungen prüfen', 'Vergleiche jede Zahl mit der Tabelle und schreibe die Abweichungen auf.'],
  french: ['Relire une traduction', 'Vérifier les noms des clients dans la lettre, puis corriger les fautes.'],
  spanish: ['Traducir un contrato', 'Revisa todas las cláusulas del contrato y escribe una lista de los errores.'],
  russian: ['Перевод договора', 'Нужен переводчик на английский язык, который проверит все страницы.'],
  japanese: ['契約書を英語に翻訳する', 'すべてのページを英語に翻訳して、表を作成してください。お願いします。'],
} as const;
type Language = keyof typeof JOBS;

/** Words in other forms than in the job. */
const FORMS: readonly (readonly [query: string, language: Language])[] = [
  ['translate', 'english'],
  ['translators', 'english'],
  ['invoices', 'english'],
  ['transcribed', 'english'],
  ['transcription customer', 'english'],
  ['Rechnung', 'german'],
  ['Abweichung Zahlen', 'german'],
  ['lettres', 'french'],
  ['fautes corrigée', 'french'],
  ['contratos', 'spanish'],
  ['clausula', 'spanish'],
  ['переводы', 'russian'],
  ['переводчики договоров', 'russian'],
  ['翻訳', 'japanese'],
];

describe.each(documents)('search with documents in %s', (_store, options) => {
  let world: World;
  let ada: RawAgent;

  const search = async (query: string, more = '') => {
    await world.settle();
    return (await send(world.url, `/api/search?q=${encodeURIComponent(query)}${more}`)).body as unknown as SearchAnswer;
  };
  const titles = async (query: string) => (await search(query)).jobs.map(({ title }) => title);

  beforeAll(async () => {
    world = await World.start(options);
    ada = await world.raw('Ada');
    for (const [title, summary] of Object.values(JOBS))
      textOf(await ada.post('job', { title, summary, done: 'A list 1 2' }), 'role');
  });
  afterAll(async () => {
    await world.audit();
    await world.stop();
    if (options.folder !== undefined) await mongodb.remove(folder);
  });

  test.each(FORMS)('"%s" finds the %s job, which has another form of the word', async (query, language) => {
    expect(await titles(query)).toEqual([JOBS[language][0]]);
  });

  test('a profile is found by a word in another form than it was written in', async () => {
    const ben = await world.raw('Ben');
    await ben.post('profile', { headline: 'Übersetzer für Verträge', skills: 'translation, proofreading' });
    for (const query of ['translators', 'Vertrag', 'übersetzern', 'ben translates'])
      expect((await search(query, '&type=people')).people).toEqual([expect.objectContaining({ muse_id: ben.museId })]);
    expect((await search('vertrage note', '&type=people')).people).toEqual([]);
  });
});
