import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requirementIds } from '../../../conformance/catalogue/catalogue.ts'
import { htmlReport } from '../../../conformance/report/html.ts'
import { palettes } from '../../../conformance/report/html-style.ts'
import { elementsOf, forbidden } from '../../support/markup.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { anyRun, checkResult, exchange, failed, runResult } from '../../support/run-result.ts'
import { cases } from '../../support/sample.ts'

const failing = failed('storage.put-returns-200', 'It answered 204.', { exchanges: [0] })

test('every requirement is on the page, checked or not', () => {
  const page = htmlReport(runResult([failing]))
  const ids = elementsOf(page).map(({ attributes }) => attributes.id)
  expect(ids).toEqual(expect.arrayContaining(requirementIds.map((id) => `check-${id}`)))
})

test('every link leads to a place on the page, and anchors are unique', () => {
  const checks = [failing, checkResult('step.name', { verdict: 'blocked', blockedBy: failing.id, exchanges: [0] })]
  const elements = elementsOf(
    htmlReport(runResult([...checks, checkResult('step.order', { exchanges: [0] })], { exchanges: [exchange()] })),
  )
  const places = elements.flatMap(({ attributes: { id } }) => id ?? [])
  expect(new Set(places).size).toBe(places.length)
  const links = elements.flatMap(({ name, attributes: { href } }) => (name === 'a' ? [href] : []))
  expect(links.length).toBeGreaterThan(10)
  for (const link of nonEmpty(links)) expect(places.map((id) => `#${id}`)).toContain(link)
})

test('headings descend one level at a time from a single first one', () => {
  const page = htmlReport(runResult([failing], { notes: ['a note'] }))
  const levels = elementsOf(page).flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name[1])] : []))
  expect(levels.filter((level) => level === 1)).toEqual(levels.slice(0, 1))
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([])
})

test('with hostile texts, the page is well-formed and runs and loads nothing', () => {
  fc.assert(
    fc.property(anyRun, (result) => {
      const page = htmlReport(result)
      expect(page).not.toMatch(forbidden)
      const elements = elementsOf(page)
      for (const { name, attributes } of nonEmpty(elements)) {
        expect(name).not.toMatch(/^(script|img|iframe|object|embed|link|base|form|svg|input)$/)
        expect(Object.keys(attributes).filter((attribute) => /^(on|src|action|srcset)/.test(attribute))).toEqual([])
        if (attributes.href !== undefined) expect(attributes.href).toMatch(/^#/)
      }
      expect(elements).toContainEqual({
        name: 'meta',
        attributes: {
          'http-equiv': 'Content-Security-Policy',
          content: "default-src 'none'; style-src 'self' 'unsafe-inline'",
        },
      })
    }),
    { numRuns: cases(100, 4) },
  )
})

test.each(nonEmpty(Object.entries(palettes)))('text of the %s page has a contrast of at least 4.5', (_, palette) => {
  const pairs = [
    ...['text', 'muted', 'link'].flatMap((front) => ['page', 'card', 'code'].map((back) => [front, back])),
    ...['good', 'bad', 'unsure', 'neutral', 'broken'].flatMap((tone) => [
      [tone, `${tone}Back`],
      [tone, 'card'],
      ['text', `${tone}Back`],
    ]),
  ]
  for (const [front = '', back = ''] of nonEmpty(pairs)) {
    const colours = palette as Record<string, string>
    expect(contrast(colours[front] ?? '', colours[back] ?? ''), `${front} on ${back}`).toBeGreaterThanOrEqual(4.5)
  }
})

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(colour.slice(place, place + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
