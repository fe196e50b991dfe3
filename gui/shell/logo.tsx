/** Mark of the product. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <rect width="32" height="32" rx="7" fill="#0b6b80" />
    <path
      d="M6 13c2.5-3 5-3 7.5 0s5 3 7.5 0 3.7-2.2 5-1M6 20c2.5-3 5-3 7.5 0s5 3 7.5 0 3.7-2.2 5-1"
      fill="none"
      stroke="#fff"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
)
