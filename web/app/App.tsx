/** The whole page. */
export function App() {
  return <main>Seekscope</main>
}
