import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNarrow } from './narrow.ts'
import type { Rows } from './rows.ts'

export interface VirtualListProps<Item> {
  readonly label: string
  /** The list is drawn again when they are others. */
  readonly rows: Rows<Item>
  /** The height of each row in pixels; the style must keep to it. */
  readonly rowHeight: number
  readonly row: (item: Item) => ComponentChildren
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  /** Called with the first row that is drawn and the one after the last. */
  readonly onDrawn?: (first: number, last: number) => void
  readonly empty: ComponentChildren
}

/** The number of rows that are drawn above and below the visible ones. */
const spare = 8

/**
 * A list that draws only its visible rows. Arrow keys, Page Up, Page Down, Home and End select, and End loads all rows first; on a narrow screen, which shows
 * either the list or the details, Enter opens what they selected. Rows that are added at the top do not move what is being read.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, rows, rowHeight, row, selected, onSelect, onDrawn, empty } = props
  const { count } = rows
  const isEmpty = count === 0
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [active, setActive] = useState(selected)
  const topRow = useRef<{ id: string; offset: number } | undefined>(undefined)
  /** True from the End key until something else is pressed: the rows may still be loading. */
  const isAtEnd = useRef(false)
  const latest = useRef(rows)
  latest.current = rows

  const measure = () => {
    const { current } = box
    if (!current) return
    const { scrollTop: top, clientHeight: height } = current
    setView((before) => (before.top === top && before.height === height ? before : { top, height }))
    const first = Math.floor(top / rowHeight)
    const isInList = top > 0 && first < latest.current.count
    topRow.current = isInList ? { id: latest.current.idAt(first), offset: top % rowHeight } : undefined
  }

  const show = (index: number) => {
    const { current } = box
    if (!current) return
    const top = index * rowHeight
    const mostTop = top + rowHeight - current.clientHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (mostTop > current.scrollTop) current.scrollTop = mostTop
  }

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    // A link may lead to any row.
    const index = selected === undefined ? -1 : latest.current.indexOf(selected)
    if (index >= 0) show(index)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isEmpty])

  useEffect(() => {
    setActive(selected)
    // The slider selects other rows too. The newest is selected by default, which must not move what is being read.
    const index = selected === undefined ? -1 : rows.indexOf(selected)
    if (index > 0 && selected !== active) show(index)
  }, [selected])

  useLayoutEffect(() => {
    const { current } = box
    const kept = topRow.current
    if (isAtEnd.current) return select(count - 1)
    if (!current || !kept) return
    const index = rows.indexOf(kept.id)
    if (index >= 0) current.scrollTop = index * rowHeight + kept.offset
  }, [rows])

  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare)
  useEffect(() => onDrawn?.(first, last), [first, last, rows])

  const activeAt = active === undefined ? -1 : rows.indexOf(active)
  const isDrawn = activeAt >= first && activeAt < last

  const select = (wanted: number) => {
    const index = Math.max(0, Math.min(count - 1, wanted))
    show(index)
    setActive(rows.idAt(index))
    if (!isNarrow()) onSelect(rows.idAt(index))
  }

  const leaveEnd = () => {
    isAtEnd.current = false
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== undefined) onSelect(active)
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to = {
      ArrowDown: activeAt + 1,
      ArrowUp: activeAt - 1,
      PageDown: activeAt + page,
      PageUp: activeAt - page,
      Home: 0,
      End: count - 1,
    }
    const index = to[event.key as keyof typeof to]
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    isAtEnd.current = event.key === 'End'
    select(index)
  }

  if (isEmpty) return <div class="list empty">{empty}</div>
  const domId = (id: string) => `${label.replaceAll(' ', '-')}-${id}`
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={active !== undefined && isDrawn ? domId(active) : undefined}
      onScroll={measure}
      onWheel={leaveEnd}
      onPointerDown={leaveEnd}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${count * rowHeight}px`, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: last - first }, (_, offset) => {
            const index = first + offset
            const id = rows.idAt(index)
            const item = rows.at(index)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys for its options
              // biome-ignore lint/a11y/useFocusableInteractive: the listbox keeps the focus and names the option in aria-activedescendant
              <div
                key={id}
                id={domId(id)}
                class="row"
                role="option"
                aria-selected={id === active}
                aria-setsize={count}
                aria-posinset={index + 1}
                style={{ height: `${rowHeight}px` }}
                onClick={() => onSelect(id)}
              >
                {item === undefined ? <span class="second">…</span> : row(item)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
