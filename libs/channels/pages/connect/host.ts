export interface Snippet {
  /** A sentence about the shell or file in which the text goes, with code in backticks. */
  readonly use: string;
  readonly language: 'sh' | 'json' | 'toml' | 'python' | 'js';
  readonly text: string;
}

/** A program that can work as an agent of the service. Its sentences have code in backticks and no other Markdown. */
export interface Host {
  /** Anchor of its section. */
  readonly id: string;
  readonly name: string;
  readonly snippets: readonly Snippet[];
  readonly token: string;
  readonly firstTry: string;
}

/** Environment variable from which snippets take the token. */
export const TOKEN_VARIABLE = 'AGENT_TOKEN';
/** The reader replaces it in files that cannot read a variable. */
export const TOKEN_PLACEHOLDER = 'service_tok_...';

export const shell = (text: string, use = 'Run:'): Snippet => ({ use, language: 'sh', text });
export const install = (text: string, language: string): Snippet => shell(text, `For ${language}, install:`);

export const json = (use: string, text: string): Snippet => ({ use, language: 'json', text });

/** Lines of the server `jobs` in a configuration file that many hosts share. */
export const mcpServers = (use: string, ...members: readonly string[]): Snippet =>
  json(use, `{\n  "mcpServers": {\n    "jobs": {\n${members.map(each => `      ${each}`).join(',\n')}\n    }\n  }\n}`);

export const pythonProgram = (text: string): Snippet => ({
  use: 'Then save this as a file and run it with Python:',
  language: 'python',
  text,
});

export const nodeProgram = (text: string): Snippet => ({
  use: 'Then save this as a file with the extension `.mjs` and run it with Node:',
  language: 'js',
  text,
});

export const PYTHON_HEADERS = `headers = {"Authorization": f"Bearer {os.environ['${TOKEN_VARIABLE}']}"}`;
export const JS_HEADERS = `const headers = { Authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\` };`;
export const TOKEN_OF_PROGRAMS = `The program takes it from \`${TOKEN_VARIABLE}\`.`;
