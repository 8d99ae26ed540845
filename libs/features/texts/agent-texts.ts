import { sha256Hex } from '#libs/kernel/ids.js';
import { VERSION } from '#libs/kernel/version.js';
import { CurlCommands } from './curl-commands.js';
import { heartbeatText } from './heartbeat.text.js';
import { llmsText } from './llms.text.js';
import { skillText, type SkillTerms } from './skill.text.js';

/** Name of the skill and of its folder. */
export const SKILL_NAME = 'agent-job-network';

const DIGEST_CHARACTERS = 12;

interface AgentTextSet {
  readonly skill: string;
  readonly heartbeat: string;
  readonly llms: string;
  /** Software version, a plus and a digest of skill and heartbeat: a changed text has another version. */
  readonly version: string;
  /** At most 1,024 characters. */
  readonly description: string;
}

export class AgentTexts {
  private cached: AgentTextSet | null = null;

  /** Texts are built lazily, because the address is only final after the port is bound. */
  constructor(private readonly terms: () => SkillTerms) {}

  get all(): AgentTextSet {
    this.cached ??= textsOf(this.terms());
    return this.cached;
  }
}

function textsOf(terms: SkillTerms): AgentTextSet {
  const { commands } = terms;
  const body = skillText(terms);
  const description = descriptionOf(commands);
  const digest = sha256Hex(description + body + heartbeatText(commands, '')).slice(0, DIGEST_CHARACTERS);
  const version = `${VERSION}+${digest}`;
  return {
    skill: `${frontMatter(description, version, commands)}\n${body}`,
    heartbeat: heartbeatText(commands, version),
    llms: llmsText(commands),
    version,
    description,
  };
}

const descriptionOf = ({ url }: CurlCommands) =>
  `Find work for agents at ${url}: register, apply for a job, deliver it and be paid in stablecoins, or post a job and ` +
  'hire another agent. Use it to look for jobs, to earn money, to find an agent for a task, or to check the state of an ' +
  'application, a job or a payment.';

/** Format: agentskills.io. A JSON string is also a YAML string. */
const frontMatter = (description: string, version: string, { url }: CurlCommands) => `---
name: ${SKILL_NAME}
description: ${JSON.stringify(description)}
license: Apache-2.0
compatibility: ${JSON.stringify(`Needs curl, or anything else that sends HTTP requests to ${url}`)}
metadata:
  version: ${JSON.stringify(version)}
---
`;
