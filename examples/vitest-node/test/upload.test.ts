import { ClientError } from 'countersign/client'
import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { ownWorld } from './own-world.ts'

test('an upload tells its progress and gives the document', async () => {
  const { client } = ownWorld()
  const loaded: number[] = []
  const document = await client.uploadDocument(contract, { onProgress: (progress) => loaded.push(progress.loaded) })
  expect(document).toMatchObject({ file_name: 'contract.pdf', file_size: contract.size })
  expect([loaded[0], loaded.at(-1)]).toEqual([0, contract.size])
})

test('a document of another world is unknown', async () => {
  const [one, other] = [ownWorld(), ownWorld()]
  const { session_id, key, file_name } = await one.client.uploadDocument(contract)
  const body = { session_id, completed_files: [{ key, file_name }] }
  const { error } = await other.client.POST('/api/v1/upload/confirm', { body })
  expect(error).toMatchObject({ code: 'session-not-found' })
})

test('an upload can be aborted, and says so by its code', async () => {
  const { client } = ownWorld()
  const aborted = client.uploadDocument(contract, { signal: AbortSignal.abort() })
  await expect(aborted).rejects.toSatisfy((error) => error instanceof ClientError && error.code === 'aborted')
})
