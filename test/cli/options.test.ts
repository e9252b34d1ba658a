import { expect, test } from 'vitest'
import { type CommandRow, commands, optionRows } from '../../cli/options.ts'
import { nonEmpty } from '../support/non-empty.ts'

const rows: CommandRow[] = nonEmpty(Object.values(commands))
const names = Object.keys(optionRows)

test('every option is taken by a command, once', () => {
  for (const { takes = [] } of rows) expect(new Set(takes).size).toBe(takes.length)
  expect([...new Set(rows.flatMap(({ takes = [] }) => takes))].sort()).toEqual(names.sort())
})

test('a command changes only options that it takes', () => {
  expect(
    rows.flatMap(({ takes = [], changes = {} }) =>
      Object.keys(changes).filter((name) => !takes.some((one) => one === name)),
    ),
  ).toEqual([])
})

test('no two options have the same flag', () => {
  const flags = Object.values(optionRows).map((row) => row.flags.split(' ')[0])
  expect(new Set(flags).size).toBe(flags.length)
})
