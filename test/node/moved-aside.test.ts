import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { StartOptions } from '../../src/node/start-mock.ts'
import { contentsIn } from '../support/object-files.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey, type Upload } from '../support/service.ts'
import { started } from '../support/started.ts'

const key = freshKey()

async function start(options: StartOptions) {
  const { mock, warnings, storedText: upload, download } = await started(options, key)
  /** Returns the contents of uploads, as far as they are there. */
  const contents = async (...uploads: Upload[]) => {
    const answers = await Promise.all(uploads.map(download))
    return answers.map(({ status, text }) => (status === 200 ? text : undefined))
  }
  return { upload, contents, warnings, close: mock.close }
}

/** Returns the options of a mock that keeps files beside its journal, or in a folder of their own; and where the files are. */
function placeOf(kind: string) {
  const journal = join(scratch(), 'mock.journal')
  if (kind === 'beside the journal') return { journal, folder: `${journal}.objects`, options: { journal } }
  const folder = scratch()
  return { journal, folder, options: { journal, objects: folder } }
}

const kinds = ['beside the journal', 'in a folder']

test.each(kinds)('files %s come back with the journal that names them', async (kind) => {
  const { journal, folder, options } = placeOf(kind)
  const first = await start(options)
  const old = await first.upload('old')
  await first.close()
  copyFileSync(journal, `${journal}.older`)
  const second = await start(options)
  const young = await second.upload('young')
  await second.close()
  renameSync(journal, `${journal}.newer`)
  renameSync(`${journal}.older`, journal)
  const older = await start(options)
  expect(older.warnings).toEqual([expect.stringMatching(/^No line of the journal names 1 file in .*, for 7 days\.$/)])
  expect(await older.contents(old, young)).toEqual(['old', undefined])
  expect(contentsIn(folder)).toEqual({ inPlace: ['old'], aside: ['young'] })
  await older.close()
  renameSync(`${journal}.newer`, journal)
  const newer = await start(options)
  expect(await newer.contents(old, young)).toEqual(['old', 'young'])
  expect(contentsIn(folder)).toEqual({ inPlace: ['old', 'young'], aside: [] })
})

test('files of a journal come back after another one was in its place', async () => {
  const { journal, folder, options } = placeOf('beside the journal')
  const first = await start(options)
  const upload = await first.upload('first')
  await first.close()
  renameSync(journal, `${journal}.bak`)
  const other = await start(options)
  await other.upload('other')
  expect(contentsIn(folder)).toEqual({ inPlace: ['other'], aside: ['first'] })
  await other.close()
  renameSync(`${journal}.bak`, journal)
  expect(await (await start(options)).contents(upload)).toEqual(['first'])
  expect(contentsIn(folder)).toEqual({ inPlace: ['first'], aside: ['other'] })
})

test.each(kinds)('files %s that damaged lines name stay as long as these', async (kind) => {
  const { journal, folder, options } = placeOf(kind)
  const first = await start(options)
  await first.upload('kept')
  await first.upload('lost')
  await first.close()
  const whole = readFileSync(journal)
  const lines = whole.toString().split('\n')
  const place = lines.findLastIndex((line) => line.includes('"ObjectStored"'))
  writeFileSync(journal, lines.with(place, 'damaged').join('\n'))
  const days = vi.spyOn(Date, 'now')
  onTestFinished(() => days.mockRestore())
  const restart = async (day: number) => {
    days.mockReturnValue(Date.UTC(2030, 0, 1 + day))
    await (await start({ ...options, journalRepair: true })).close()
    return contentsIn(folder)
  }
  const apart = { inPlace: ['kept'], aside: ['lost'] }
  for (const day of [0, 8]) expect(await restart(day)).toEqual(apart)
  const repaired = readFileSync(journal)
  writeFileSync(journal, whole)
  expect(await restart(9)).toEqual({ inPlace: ['kept', 'lost'], aside: [] })
  writeFileSync(journal, repaired)
  rmSync(`${journal}.damaged`)
  for (const day of [10, 16]) expect(await restart(day)).toEqual(apart)
  expect(await restart(18)).toEqual({ inPlace: ['kept'], aside: [] })
})
