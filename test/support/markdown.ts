/** A fenced block of a Markdown file. */
export interface Block {
  /** What stands behind the fence; empty where nothing does. */
  readonly language: string
  readonly text: string
  /** Line of its opening fence, from 1. */
  readonly line: number
}

/** The fenced blocks of a Markdown text, in their order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: text = '' }) => ({
    language,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }))
}

/** What the links and images of a Markdown text lead to, in their order; what stands in code is none. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, 'code')
  return [...prose.matchAll(/\]\(<?([^\s)>]+)>?(?: "[^"]*")?\)/g)].map(([, target = '']) => target)
}
