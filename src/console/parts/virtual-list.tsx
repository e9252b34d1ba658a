import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The rows of a list, which may be loaded on demand. */
export interface Rows<Item> {
  readonly count: number
  /** Returns a row; undefined while it is being loaded. */
  at(index: number): Item | undefined
  idAt(index: number): string
  /** Returns the place of a row; -1 if there is none. */
  indexOf(id: string): number
}

/** Returns the rows of items that are all there. */
export function rowsOf<Item>(items: readonly Item[], idOf: (item: Item) => string): Rows<Item> {
  return {
    count: items.length,
    at: (index) => items[index],
    idAt: (index) => idOf(items[index] as Item),
    indexOf: (id) => items.findIndex((item) => idOf(item) === id),
  }
}

/** Checks whether the screen is so narrow that a list and its details take turns; the style has the same limit. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches
}

export interface VirtualListProps<Item> {
  /** The list is drawn again when they are others. */
  readonly rows: Rows<Item>
  /** The height of each row in pixels; the style must keep to it. */
  readonly rowHeight: number
  readonly row: (item: Item) => ComponentChildren
  readonly selected: string | undefined
  /** Called with the first row that is drawn and the one after the last. */
  readonly onDrawn?: (first: number, last: number) => void
  readonly empty: ComponentChildren
}

interface Named {
  /** A word that names the list. */
  readonly label: string
  readonly onSelect: (id: string) => void
}

/** The number of rows that are drawn above and below the visible ones. */
const spare = 8

/**
 * A list that draws only its visible rows. Arrow keys, Page Up, Page Down, Home and End select, and End loads all rows first; on a narrow screen, which shows
 * either the list or the details, Enter opens what they selected. Rows that are added at the top do not move what is being read.
 */
export function VirtualList<Item>(props: Named & VirtualListProps<Item>) {
  const { label, rows, rowHeight, selected, onSelect, onDrawn, empty } = props
  const { count } = rows
  const [active, setActive] = useState(selected)
  /** True from the End key until something else is pressed: the rows may still be loading. */
  const isAtEnd = useRef(false)
  const { box, view, measure, show, keepPlace } = useWindow(rows, rowHeight, selected)
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const activeAt = active === undefined ? -1 : rows.indexOf(active)
  const select = (wanted: number) => {
    const index = Math.max(0, Math.min(count - 1, wanted))
    show(index)
    setActive(rows.idAt(index))
    if (!isNarrow()) onSelect(rows.idAt(index))
  }
  useEffect(() => {
    setActive(selected)
    // The slider selects other rows too. The newest is selected by default, which must not move what is being read.
    const index = selected === undefined ? -1 : rows.indexOf(selected)
    if (index > 0 && selected !== active) show(index)
  }, [selected])
  useLayoutEffect(() => (isAtEnd.current ? select(count - 1) : keepPlace()), [rows])
  useEffect(() => onDrawn?.(first, last), [first, last, rows])
  const leaveEnd = () => {
    isAtEnd.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== undefined) onSelect(active)
    const index = placeFor(event, activeAt, count, Math.floor(view.height / rowHeight))
    if (index === undefined) return
    event.preventDefault()
    isAtEnd.current = event.key === 'End'
    select(index)
  }
  if (count === 0) return <div class="list empty">{empty}</div>
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={activeAt >= first && activeAt < last ? `${label}-${active}` : undefined}
      onScroll={measure}
      {...{ onWheel: leaveEnd, onPointerDown: leaveEnd, onKeyDown }}
    >
      <div role="presentation" style={{ height: `${count * rowHeight}px`, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: last - first }, (_, offset) => first + offset).map((index) => (
            <Row key={rows.idAt(index)} {...{ ...props, index, isActive: rows.idAt(index) === active }} />
          ))}
        </div>
      </div>
    </div>
  )
}

function Row<Item>({
  label,
  rows,
  rowHeight,
  row,
  onSelect,
  index,
  isActive,
}: Named & VirtualListProps<Item> & { readonly index: number; readonly isActive: boolean }) {
  const id = rows.idAt(index)
  const item = rows.at(index)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys for its options
    // biome-ignore lint/a11y/useFocusableInteractive: the listbox keeps the focus and names the option in aria-activedescendant
    <div
      id={`${label}-${id}`}
      class="row"
      role="option"
      aria-selected={isActive}
      aria-setsize={rows.count}
      aria-posinset={index + 1}
      style={{ height: `${rowHeight}px` }}
      onClick={() => onSelect(id)}
    >
      {item === undefined ? <span class="second">…</span> : row(item)}
    </div>
  )
}

/** The part of a list that is visible. Rows that are added at the top do not move it. */
function useWindow<Item>(rows: Rows<Item>, rowHeight: number, selected: string | undefined) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  /** The uppermost visible row, unless the list is at its beginning. */
  const topRow = useRef<string | undefined>(undefined)
  const measure = () => {
    if (!box.current) return
    const { scrollTop: top, clientHeight: height } = box.current
    setView((before) => (before.top === top && before.height === height ? before : { top, height }))
    const first = Math.floor(top / rowHeight)
    topRow.current = top > 0 && first < rows.count ? rows.idAt(first) : undefined
  }
  const latest = useRef(measure)
  latest.current = measure

  const show = (index: number) => {
    const { current } = box
    if (!current) return
    const top = index * rowHeight
    current.scrollTop = Math.max(top + rowHeight - current.clientHeight, Math.min(current.scrollTop, top))
  }

  const keepPlace = () => {
    const index = topRow.current === undefined ? -1 : rows.indexOf(topRow.current)
    if (box.current && index >= 0) box.current.scrollTop = index * rowHeight + (box.current.scrollTop % rowHeight)
  }

  useLayoutEffect(() => {
    if (!box.current) return
    // A link may lead to any row.
    const index = selected === undefined ? -1 : rows.indexOf(selected)
    if (index >= 0) show(index)
    const observer = new ResizeObserver(() => latest.current())
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [rows.count === 0])
  return { box, view, measure, show, keepPlace }
}

/** Returns the row that a key leads to from the active one; undefined for other keys. `visible` is the number of rows in view. */
function placeFor(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  activeAt: number,
  count: number,
  visible: number,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined
  const page = Math.max(1, visible - 1)
  const places: Readonly<Record<string, number>> = {
    ArrowDown: activeAt + 1,
    ArrowUp: activeAt - 1,
    PageDown: activeAt + page,
    PageUp: activeAt - page,
    Home: 0,
    End: count - 1,
  }
  return places[key]
}
