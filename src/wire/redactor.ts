import type { SecretRedactor } from '../session/redact.ts'
import type { HeaderList } from './exchange.ts'

/** Returns what redacts the credentials of a call and its answer, and the signature in its address. Few calls need it. */
export async function redactorOf(
  headers: HeaderList,
  path: string,
  answerHeaders: HeaderList,
): Promise<SecretRedactor> {
  const { SecretRedactor } = await import('../session/redact.ts')
  const redactor = new SecretRedactor([])
  redactor.addRequest(headers)
  redactor.addIssued(answerHeaders)
  redactor.addSignaturesIn(path)
  return redactor
}
