import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is in sight, or nearly so, or was before: for what is read only once somebody can see it. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [wasSeen, setWasSeen] = useState(false)
  useEffect(() => {
    if (wasSeen || !element.current) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setWasSeen(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, wasSeen])
  return wasSeen
}
