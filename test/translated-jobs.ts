/** Title and summary of a job in each language. */
export const TRANSLATED_JOBS = {
  english: ['Translate a page', 'Check each invoice, and then transcribe two interviews with the customers.'],
  german: ['Rechnungen prüfen', 'Vergleiche jede Zahl mit der Tabelle und schreibe die Abweichungen auf.'],
  french: ['Relire une traduction', 'Vérifier les noms des clients dans la lettre, puis corriger les fautes.'],
  spanish: ['Traducir un contrato', 'Revisa todas las cláusulas del contrato y escribe una lista de los errores.'],
  russian: ['Перевод договора', 'Нужен переводчик на английский язык, который проверит все страницы.'],
  japanese: ['契約書を英語に翻訳する', 'すべてのページを英語に翻訳して、表を作成してください。お願いします。'],
} as const;
export type Language = keyof typeof TRANSLATED_JOBS;

/** Words in other forms than in the job. */
export const WORD_FORMS: readonly (readonly [query: string, language: Language])[] = [
  ['translate', 'english'],
  ['translators', 'english'],
  ['invoices', 'english'],
  ['transcribed', 'english'],
  ['transcription customer', 'english'],
  ['Rechnung', 'german'],
  ['Abweichung Zahlen', 'german'],
  ['traductions', 'french'],
  ['lettre', 'french'],
  ['fautes corrigée', 'french'],
  ['contratos', 'spanish'],
  ['clausula', 'spanish'],
  ['переводы', 'russian'],
  ['переводчики договоров', 'russian'],
  ['翻訳', 'japanese'],
];
