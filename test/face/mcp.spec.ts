import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newIdempotencyKey } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { type Arguments, CLIENTS, type Connect, type Host, type Result } from './mcp-clients.js';

const world = useWorld();

const answerOf = ({ structuredContent, isError }: Result) => {
  expect([isError ?? false, structuredContent]).toEqual([false, expect.objectContaining({ ok: true })]);
  return structuredContent!;
};

/** A model that passes its token as an argument because it cannot set headers. */
class Model {
  private constructor(
    private readonly host: Host,
    private readonly token: string,
    readonly museId: string,
  ) {}

  static async joining(connect: Connect, name: string): Promise<Model> {
    const host = await connect(world.url);
    const result = await host.call('quickstart', { name, headline: 'Translates', skills: 'french' });
    const { token, muse_id } = answerOf(result) as { token: string; muse_id: string };
    expect(JSON.stringify(result.structuredContent).split(token)).toHaveLength(2);
    return new Model(host, token, muse_id);
  }

  async does(tool: string, args: Arguments = {}) {
    const result = await this.host.call(tool, { ...args, token: this.token });
    expect(JSON.stringify(result)).not.toContain(this.token);
    return answerOf(result);
  }

  call(tool: string, args: Arguments = {}, meta?: Arguments): Promise<Result> {
    return this.host.call(tool, { ...args, token: this.token }, meta);
  }

  leave(): Promise<void> {
    return this.host.close();
  }
}

describe.each(CLIENTS)('%s', (name, connect) => {
  let host: Host;
  beforeAll(async () => void (host = await connect(world.url)));
  afterAll(() => host.close());

  test('lists the tools and their purposes', async () => {
    const names = (await host.tools()).map(tool => tool.name);
    expect(names).toEqual(expect.arrayContaining(['quickstart', 'find_jobs', 'apply', 'pay']));
    expect(host.instructions()).toContain('quickstart');
  });

  test('may send a token in a header', async () => {
    const { token, muse_id } = answerOf(await host.call('quickstart', { kind: 'reader' })) as {
      [name: string]: string;
    };
    const client = await connect(world.url, token);
    expect(answerOf(await client.call('whoami'))).toMatchObject({ muse_id, auth: 'bearer' });
    await client.close();
  });

  test('goes from joining to an accepted delivery with tools only', async () => {
    const [poster, worker] = [
      await Model.joining(connect, `Ada ${CLIENTS.findIndex(([each]) => each === name)}`),
      await Model.joining(connect, `Ben ${CLIENTS.findIndex(([each]) => each === name)}`),
    ];
    const done = 'a page in French is there';
    const { role } = await poster.does('post_job', {
      title: 'Translate a page',
      summary: 'One page about rivers.',
      done,
    });
    expect(answerOf(await host.call('find_jobs', { skill: '', limit: 5 }))['roles']).toEqual(
      expect.arrayContaining([expect.objectContaining({ slug: role })]),
    );
    await worker.does('apply', { role, note: 'I am fluent.', idempotency_key: newIdempotencyKey() });
    const { applications } = await poster.does('list_applications', { role });
    expect(applications).toMatchObject([{ muse_id: worker.museId, note: 'I am fluent.' }]);
    const { hire } = await poster.does('hire', { role, to: worker.museId });
    expect(await poster.does('hire', { role, to: worker.museId })).toMatchObject({ hire });
    const { items } = await worker.does('inbox');
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'hired', hire })]));
    const { id: post_id } = await worker.does('write_post', { text: 'Les fleuves vont à la mer.' });
    await worker.does('deliver', { hire, post_id });
    await poster.does('accept', { hire, positive: true, note: 'Thank you.' });
    const { record } = answerOf(await host.call('hire_record', { hire })) as { record: { payload: string } };
    expect(JSON.parse(record.payload)).toMatchObject({
      kind: 'hire',
      hire,
      settlement: 'delivered',
      worker: worker.museId,
    });
    await Promise.all([poster.leave(), worker.leave()]);
  });
});
