interface CodeProps {
  readonly code: string;
  readonly language?: string;
}

/** Code with a button that copies it. The button needs scripts, so `scripts/site` adds it. */
export const CodeBlock = ({ code, language }: CodeProps) => (
  <div class="copyable">
    <pre class="wrapped" {...(language && { 'data-language': language })}>
      {code}
    </pre>
  </div>
);
