import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../live/hooks.ts'
import { go, linkTo } from '../live/live.ts'
import { Pending } from './basics.tsx'
import { isNarrow, VirtualList, type VirtualListProps } from './virtual-list.tsx'

/** A list with its filters on the left and what is selected in it on the right; on a narrow screen one of them. */
export function ListView<Item>(
  props: VirtualListProps<Item> & {
    /** What is listed, in the plural. */
    readonly what: string
    readonly error?: Error | undefined
    readonly isLoading: boolean
    /** The part of the route that names the selected row. @default 'id' */
    readonly by?: 'id' | 'as_of'
    readonly filters: ComponentChildren
    readonly detail: ComponentChildren
  },
) {
  const { what, error, isLoading, by = 'id', filters, empty, detail, ...list } = props
  const isOpen = useLive('route')[by] !== undefined
  const { left, right } = useFocusOn(isOpen)
  return (
    <div class={isOpen ? 'halves open' : 'halves'}>
      <section class="left" aria-label={`List of ${what}`} ref={left}>
        <div class="filters">{filters}</div>
        {error && <Pending error={error} />}
        <VirtualList
          {...list}
          label={what.replace(/^./, (first) => first.toUpperCase())}
          onSelect={(to) => go({ [by]: to }, 'replace')}
          empty={isLoading ? 'Loading …' : empty}
        />
      </section>
      <section class="right" aria-label="Details" tabIndex={-1} ref={right}>
        {isOpen && (
          <a class="back" href={linkTo({ [by]: undefined })}>
            ← All {what}
          </a>
        )}
        {detail}
      </section>
    </div>
  )
}

/** Moves the focus to the half that a narrow screen shows. */
function useFocusOn(isOpen: boolean) {
  const left = useRef<HTMLElement>(null)
  const right = useRef<HTMLElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const changed = isOpen !== wasOpen.current
    wasOpen.current = isOpen
    if (!isNarrow()) return
    if (isOpen) right.current?.focus()
    else if (changed) left.current?.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }, [isOpen])
  return { left, right }
}
