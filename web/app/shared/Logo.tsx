/** The logo: requests on a disk, as in a seek map. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M0 13h4M4 9h3M1 5h2M8 2h2" />
      <path className="logo-accent" d="M5 5h5M8 9h5M6 13h2M12 2h3" />
    </svg>
  )
}
