import { expect, it } from 'vitest'
import { opensWhere, reachOf } from './reach'

it('a link opens anywhere only if its host can be reached from anywhere', () => {
  const reach = (url: string) => reachOf(new URL(url))
  for (const url of [
    'file:///home/me/seekscope.html',
    'http://localhost:4173/',
    'http://app.localhost/',
    'http://127.0.0.1:8080/',
    'http://127.8.0.1/',
    'http://[::1]:80/',
  ])
    expect(reach(url), url).toBe('machine')
  for (const url of [
    'http://10.0.0.4/',
    'http://172.16.3.1/',
    'http://172.31.0.1/',
    'http://192.168.1.20:8000/',
    'http://169.254.7.7/',
    'http://100.64.0.1/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://buildbox/',
    'https://perf.corp/',
    'https://box.local/x',
  ])
    expect(reach(url), url).toBe('network')
  for (const url of [
    'https://example.org/seekscope/',
    'http://172.32.0.1/',
    'http://11.0.0.1/',
    'https://fdic.example/',
    'https://localhost.example.org/',
    'http://100.128.0.1/',
    'http://[2001:db8::1]/',
  ])
    expect(reach(url), url).toBe('anywhere')
  expect(opensWhere(new URL('http://127.0.0.1/'))).not.toContain('anywhere')
})
