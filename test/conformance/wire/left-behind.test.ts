import { expect, test } from 'vitest'
import { describeCreated } from '../../../conformance/wire/left-behind.ts'

test('a confirmation whose files are a text is described, whatever the answer', () => {
  const request = { method: 'POST', url: 'http://there.test/api/v1/upload/confirm', headers: new Headers() }
  const sent = JSON.stringify({ session_id: 'session-1', completed_files: 'no-such-type' })
  const exchange = {
    request,
    sent,
    status: 200,
    headers: new Headers(),
    bytes: new Uint8Array(),
    json: {},
    durationMs: 1,
  }
  expect(describeCreated(exchange)).toBe('document ')
})
