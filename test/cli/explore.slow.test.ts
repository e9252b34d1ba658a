import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantedFaults } from '../conformance/explore/planted.ts'
import { run, runHere, withoutProgress } from '../support/command.ts'
import { everythingIn, leaksOf } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'
import { addressOf } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

test('exploring prints the shortest session as commands, and writes it as HAR', async () => {
  const fault = plantedFaults['a file that was sent twice cannot be confirmed']?.()
  if (!fault) throw new TypeError('There is no such fault.')
  const url = await addressOf(fault)
  const folder = scratch()
  const key = freshKey()
  const explore = ['--explore', '500', '--seed', '2', '--settle', '0', '--report', 'json,html']
  const { code, stdout, stderr } = await runHere(
    ['compare', 'reference', url, ...explore],
    { COUNTERSIGN_API_KEY: key },
    folder,
  )
  expect([code, withoutProgress(stderr)]).toEqual([1, ''])
  expect(stdout).toContain('confirmUpload, after 3 calls: It is accepted by A, and refused by B.')
  const commands = stdout.split('\n').filter((line) => line.startsWith('curl'))
  expect(commands.map((line) => line.split(' ')[2])).toEqual(['POST', 'PUT', 'PUT', 'POST'])
  expect(commands[3]).toContain('"$SESSION_1"')
  expect(stdout).toContain('Repeat it with --seed 2.')
  expect(leaksOf(everythingIn(join(folder, 'compare-report')), key, 8)).toEqual([])

  const session = join('compare-report', 'explored.har')
  const again = await runHere(
    ['compare', 'reference', url, '--session', session, '--settle', '0'],
    { COUNTERSIGN_API_KEY: key },
    folder,
  )
  expect(again.code).toBe(1)
  expect(again.stdout).toContain('confirmUpload 4 (call 4): It is accepted')
})

test('the built command explores in a thread of its own', async () => {
  const { code, stdout, stderr } = await run(
    ['compare', 'reference', 'reference', '--explore', '60', '--seed', '1'],
    {},
    scratch(),
  )
  expect([code, withoutProgress(stderr)]).toEqual([0, ''])
  expect(stdout).toContain('Explored with seed 1: ')
})
