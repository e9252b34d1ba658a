import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNarrow } from './narrow.ts'

export interface VirtualListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  /** The height of each row in pixels; the style must keep to it. */
  readonly rowHeight: number
  readonly row: (item: Item) => ComponentChildren
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  /** Called when the end is near. */
  readonly onEnd?: () => void
  readonly empty: ComponentChildren
}

/** The number of rows that are drawn above and below the visible ones. */
const spare = 8

/**
 * A list that draws only its visible rows. Arrow keys, Page Up, Page Down, Home and End select; on a narrow screen, which shows
 * either the list or the details, Enter opens what they selected. Items that are added at the top do not move what is being read.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, idOf, rowHeight, row, selected, onSelect, onEnd, empty } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [active, setActive] = useState(selected)
  useEffect(() => setActive(selected), [selected])
  const topItem = useRef<{ id: string; offset: number } | undefined>(undefined)

  const measure = () => {
    const { current } = box
    if (!current) return
    const { scrollTop: top, clientHeight: height } = current
    setView((before) => (before.top === top && before.height === height ? before : { top, height }))
    const first = items[Math.floor(top / rowHeight)]
    topItem.current = top > 0 && first !== undefined ? { id: idOf(first), offset: top % rowHeight } : undefined
  }

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const { current } = box
    const kept = topItem.current
    if (!current || !kept) return
    const index = items.findIndex((item) => idOf(item) === kept.id)
    if (index >= 0) current.scrollTop = index * rowHeight + kept.offset
  }, [items])

  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const nearEnd = last >= items.length - spare
  useEffect(() => {
    if (nearEnd) onEnd?.()
  }, [nearEnd, items.length])

  const select = (index: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))]
    const { current } = box
    if (item === undefined || !current) return
    const top = items.indexOf(item) * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (top + rowHeight > current.scrollTop + current.clientHeight) {
      current.scrollTop = top + rowHeight - current.clientHeight
    }
    setActive(idOf(item))
    if (!isNarrow()) onSelect(idOf(item))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== undefined) onSelect(active)
    const at = items.findIndex((item) => idOf(item) === active)
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: items.length - 1,
    }
    const index = to[event.key as keyof typeof to]
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    select(index)
  }

  if (items.length === 0) return <div class="list empty">{empty}</div>
  const domId = (id: string) => `${label.replaceAll(' ', '-')}-${id}`
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={active === undefined ? undefined : domId(active)}
      onScroll={measure}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${items.length * rowHeight}px`, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {items.slice(first, last).map((item, index) => {
            const id = idOf(item)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys for its options
              // biome-ignore lint/a11y/useFocusableInteractive: the listbox keeps the focus and names the option in aria-activedescendant
              <div
                key={id}
                id={domId(id)}
                class="row"
                role="option"
                aria-selected={id === active}
                aria-setsize={items.length}
                aria-posinset={first + index + 1}
                style={{ height: `${rowHeight}px` }}
                onClick={() => onSelect(id)}
              >
                {row(item)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
