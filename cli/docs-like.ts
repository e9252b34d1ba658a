import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../conformance/report/write-whole.ts'
import { escapeMarkup } from '../conformance/wire/inert.ts'
import { isObject } from '../src/contract/json.ts'
import { learnedContract, readContract, toYaml } from '../src/learn/contract.ts'
import type { Profile } from '../src/profile/profile.ts'

/** A part of a contract, as parsed. */
type Node = { readonly [name: string]: unknown }

/**
 * Puts a deployment's answers into the pages of a folder: the reference and `openapi.yaml` show its answers, and the page of
 * the open questions shows what it answers to them. Adds `overlay.yaml`. Returns the names of the files that it added.
 */
export async function writeLike(folder: string, profile: Profile): Promise<string[]> {
  const { overlay, contract } = learnedContract(await readContract(), profile)
  const change = async (name: string, edit: (page: string) => string) => {
    const file = join(folder, name)
    await writeWhole(file, edit(await readFile(file, 'utf8')))
  }
  await change('index.html', (page) => withContract(page, contract as Node))
  await change('questions.html', (page) => withAnswers(page, profile.learned?.questions ?? {}))
  await writeWhole(join(folder, 'openapi.yaml'), await toYaml(contract))
  await writeWhole(join(folder, 'overlay.yaml'), await toYaml(overlay))
  return ['overlay.yaml']
}

/** The texts around the contract on the reference page. */
const [before, after] = ['const __redoc_definition = ', ';\n      const __redoc_options']

/** Puts a learned contract in the place of ours. Without our rendered text, Redoc renders it in the browser. */
function withContract(page: string, contract: Node): string {
  const from = page.indexOf(before)
  const to = page.indexOf(after)
  const script = page.indexOf('<script type="module">')
  const root = page.indexOf('<div id="redoc">')
  if (from < 0 || to < from || root < 0 || script < root) {
    throw new TypeError('The page of the reference has another form than the build writes.')
  }
  const definition = JSON.parse(page.slice(from + before.length, to)) as Node
  // Answers may contain any text, such as the end of a script.
  const text = JSON.stringify(likeDefinition(definition, contract)).replaceAll('<', '\\u003c')
  const start = page.slice(0, root)
  const end = page.slice(to)
  return `${start}<div id="redoc"></div>\n      ${page.slice(script, from)}${before}${text}${end}`
}

/** Returns the contract of the page with the learned answers and examples. */
function likeDefinition(definition: Node, contract: Node): Node {
  const paths = Object.entries(nodeAt(definition, 'paths')).map(([path, item]) => {
    const learned = nodeAt(nodeAt(contract, 'paths'), path)
    const operations = Object.entries(item as Node).map(([name, operation]) => [
      name,
      name in learned && isObject(operation) && 'responses' in operation
        ? likeOperation(operation, nodeAt(learned, name))
        : operation,
    ])
    return [path, Object.fromEntries(operations)]
  })
  const info = nodeAt(definition, 'info')
  return {
    ...definition,
    info: {
      ...info,
      description: `**The answers on this page are those of a deployment**, as [countersign learned them](overlay.yaml). Those with the label ‘learned’ were seen; the others are assumed.\n\n${info.description}`,
    },
    paths: Object.fromEntries(paths),
    components: {
      ...(withLabels(nodeAt(contract, 'components')) as Node),
      securitySchemes: nodeAt(nodeAt(definition, 'components'), 'securitySchemes'),
    },
  }
}

function likeOperation(ours: Node, learned: Node): Node {
  const [body, theirs] = [nodeAt(ours, 'requestBody'), nodeAt(learned, 'requestBody')]
  const content = Object.entries(nodeAt(body, 'content')).map(([type, media]) => {
    const { examples } = nodeAt(nodeAt(theirs, 'content'), type)
    return [type, { ...(media as Node), ...(examples !== undefined && { examples }) }]
  })
  const hasNewDescription = learned.operationId === 'putObject'
  return {
    ...ours,
    ...(hasNewDescription && { description: learned.description }),
    ...('requestBody' in ours && { requestBody: { ...body, content: Object.fromEntries(content) } }),
    responses: withLabels(nodeAt(learned, 'responses')),
  }
}

/** Appends links to the sentences and the open questions to the descriptions that cite them. Leaves examples as they are. */
function withLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLabels)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'examples' || name === 'example' ? member : withLabels(member),
  ])
  const { description } = value
  if (typeof description !== 'string') return Object.fromEntries(members)
  const cited = (name: string) => [value[name] ?? []].flat().map(String)
  const kind = value['x-learned'] === true ? 'learned' : 'assumed'
  const links = [
    ...cited('x-requirement').map((id) => `[documented: ${id}](traceability.html#${id})`),
    ...cited('x-gap').map((id) => `[${kind}: ${id.replace('gap.', '')}](questions.html#${id})`),
  ]
  const text = [description.trim(), links.join(' ')].filter(Boolean).join('\n\n')
  return { ...Object.fromEntries(members), description: text }
}

/** Says in each open question what the deployment answers, in place of how to find out. */
function withAnswers(page: string, answers: Readonly<Record<string, string>>): string {
  return page.replaceAll(
    /(<article class="card" id="([^"]+)">[\s\S]*?)<dt>Your deployment<\/dt><dd>[\s\S]*?<\/dd>/g,
    (card, start, id) => {
      const answer = answers[id]
      return answer === undefined ? card : `${start}<dt>This deployment</dt><dd>${escapeMarkup(answer)}</dd>`
    },
  )
}

function nodeAt(node: Node, name: string): Node {
  return isObject(node[name]) ? node[name] : {}
}
