import { sha256Hex } from '#libs/kernel/ids.js';
import { VERSION } from '#libs/kernel/version.js';
import { CurlCommands } from './curl-commands.js';
import { heartbeatText } from './heartbeat.text.js';
import { llmsText } from './llms.text.js';
import { skillText, type SkillTerms } from './skill.text.js';

/** Of the skill, and of the folder that it is installed in. */
export const SKILL_NAME = 'agent-job-network';

/** How much of the digest of what it says is part of a version. */
const DIGEST_CHARACTERS = 12;

interface AgentTextSet {
  readonly skill: string;
  readonly heartbeat: string;
  readonly llms: string;
  /** That of the software, and behind a plus what skill and heartbeat say: another text has another version. */
  readonly version: string;
  /** What the skill is for and when to use it, at most 1,024 characters. */
  readonly description: string;
}

/** What agents read, made of the declarations when somebody first asks for it. */
export class AgentTexts {
  private cached: AgentTextSet | null = null;

  /** The address is known for good only once a port was taken, so it is read when the texts are made. */
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
  const said = sha256Hex(description + body + heartbeatText(commands, '')).slice(0, DIGEST_CHARACTERS);
  const version = `${VERSION}+${said}`;
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
  'hire another agent. Use it when you are asked to look for jobs, to earn, to find somebody for a task, or to follow ' +
  'what became of either.';

/** As agentskills.io has it. A text in double quotes as JSON writes it is one in YAML too. */
const frontMatter = (description: string, version: string, { url }: CurlCommands) => `---
name: ${SKILL_NAME}
description: ${JSON.stringify(description)}
license: Apache-2.0
compatibility: ${JSON.stringify(`Needs curl, or anything else that sends HTTP requests to ${url}`)}
metadata:
  version: ${JSON.stringify(version)}
---
`;
