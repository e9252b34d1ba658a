import type { ComponentChildren } from 'preact'

/** Writes a share of the width as CSS does. What is beyond an end stands there. */
const percent = (share: number) => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(3)}%`

/** A bar from one share of the width to another, or a mark at one share. */
export function Bar(props: {
  readonly kind?: string
  readonly from?: number
  readonly to?: number
  readonly title?: string
  readonly children?: ComponentChildren
}) {
  const { kind, from = 0, to, title, children } = props
  const width = to === undefined ? {} : { width: `calc(${percent(to)} - ${percent(from)})` }
  return (
    <span class={kind} title={title} style={{ left: percent(from), ...width }}>
      {children}
    </span>
  )
}

/** Says what the kinds of bars mean. */
export function Legend({ kinds }: { readonly kinds: readonly string[] }) {
  return (
    <>
      {kinds.map((kind) => (
        <>
          <span key={kind} class={`key ${kind}`} /> {kind}{' '}
        </>
      ))}
    </>
  )
}
