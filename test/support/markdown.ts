/** A fenced block of a Markdown file. */
export interface Block {
  /** The text after the opening fence, or an empty text. */
  readonly language: string
  readonly text: string
  /** Line of the opening fence, from 1. */
  readonly line: number
}

/** Returns the fenced blocks of a Markdown text in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: text = '' }) => ({
    language,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }))
}

/** Checks whether a block is a script of a page in plain JavaScript, which a test of browsers runs. */
export function isPageScript({ text }: Block): boolean {
  return text.includes('document.querySelector(')
}

/** Returns the targets of the links and images of a Markdown text in order, without those in code. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, 'code')
  return [...prose.matchAll(/\]\(<?([^\s)>]+)>?(?: "[^"]*")?\)/g)].map(([, target = '']) => target)
}
