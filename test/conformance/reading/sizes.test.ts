import { expect, test } from 'vitest'
import { isCalledSize, sizeOfAnother } from '../../../conformance/reading/sizes.ts'

test.each([
  ['size', true],
  ['file_size', true],
  ['contentLength', true],
  ['size_of_the_file', true],
  ['page_size', false],
  ['max_size', false],
  ['file', false],
])('%s means the size of a file: %s', (name, expected) => {
  expect(isCalledSize(name)).toBe(expected)
})

const files = (...shown: readonly (readonly [json: unknown, size: number])[]) =>
  shown.map(([json, size]) => ({ json, size }))
const right = [
  [{ volume: 600 }, 600],
  [{ volume: '700' }, 700],
] as const

test('a place that shows sizes of files that differ must show those of others', () => {
  expect(sizeOfAnother(files(...right, [{ volume: 512 }, 9000]))?.shown).toMatchObject({
    pointer: '/volume',
    value: 512,
  })
  expect(sizeOfAnother(files(...right, [{ volume: 9000 }, 9000]))).toBeUndefined()
  expect(sizeOfAnother(files(...right, [{ volume: 'large' }, 9000]))).toBeUndefined()
})

test('one size proves no place, and a right size elsewhere excuses it', () => {
  expect(sizeOfAnother(files([{ volume: 600 }, 600], [{ volume: 512 }, 9000]))).toBeUndefined()
  expect(sizeOfAnother(files(...right, [{ volume: 512, total: 9000 }, 9000]))).toBeUndefined()
})
