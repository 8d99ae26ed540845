import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { textOf } from '../raw-agent.js';

/** Parses with the XML library of Python, which refuses malformed feeds. */
const READ = `
import json, sys, xml.etree.ElementTree as tree
channel = tree.fromstring(sys.stdin.buffer.read()).find('channel')
print(json.dumps([{e.tag: (e.text or '').strip() for e in item} for item in channel.findall('item')]))
`;
import { useWorld } from '../use-world.js';
const HAS_PYTHON = spawnSync('python3', ['-c', 'import xml.etree.ElementTree']).status === 0;
const titled = (title: string) => (HAS_PYTHON ? title : `${title} (NOT TRIED: there is no python3 here)`);
const HOSTILE = [
  '<script>alert(1)</script>',
  ']]><item><title>smuggled</title></item><![CDATA[',
  '&lt;img src=x onerror=alert(1)&gt; &#0; &bogus;',
  '\uFFFE\uFFFF \u{1FFFE} \u202E \u{1F600}',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
];

(HAS_PYTHON ? describe : describe.skip)(titled('an independent XML parser'), () => {
  const world = useWorld();
  const jobs = new Map<string, string>();
  beforeAll(async () => {
    const poster = await world.raw('Posy');
    for (const text of HOSTILE) {
      const reply = await poster.post('job', {
        title: text,
        summary: `${text} and more of it`,
        done: `${text} is there now`,
      });
      expect([text, reply.status, reply.body]).toEqual([text, 200, reply.body]);
      jobs.set(`${world.url}/jobs/${textOf(reply, 'role')}`, text);
      expect((await poster.post('post', { text: `${text} said` })).status).toBe(200);
    }
    await world.settle();
  });

  test.each(['/jobs.rss', '/feed.rss'])('reads %s with hostile texts and finds no injected item', async path => {
    const { stdout, stderr, status } = spawnSync('python3', ['-c', READ], {
      input: await (await fetch(world.url + path)).text(),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const items = JSON.parse(stdout) as { title?: string; link: string; description: string }[];
    expect(items.filter(({ title }) => title === 'smuggled')).toEqual([]);
    expect(items.filter(({ description }) => /<(?!br>)/.test(description))).toEqual([]);
    const shown = items.filter(({ link, title }) => path !== '/jobs.rss' || title === writable(jobs.get(link)!));
    expect(shown).toHaveLength(path === '/jobs.rss' ? HOSTILE.length : items.length);
  });
});

/** Replaces what XML cannot represent. */
const writable = (text: string) => text.replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
