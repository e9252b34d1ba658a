import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import { expect, test } from 'vitest'

const contract = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))

test('swagger-parser, which many tools read contracts with, finds the contract valid', async () => {
  const { info } = await SwaggerParser.validate(contract)
  expect(info.title).toBe('Document approval and upload service')
})
