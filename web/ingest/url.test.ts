import { describe, expect, it } from 'vitest'
import { isAddresses } from './pasted'
import { checkReadable, rawUrl, urlsIn } from './url'

const ADDRESS = new URL('https://example.org/trace.tar')

describe('a download', () => {
  it('that the browser keeps has a checksum', async () => {
    expect(await checkReadable(ADDRESS, new Blob(['abc']))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('that it has no room for is named', async () => {
    const blob = new Blob([new Uint8Array(2 << 20)])
    blob.slice = () =>
      Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) })
    await expect(checkReadable(ADDRESS, blob)).rejects.toMatchObject({
      code: 'url-no-room',
      message: 'The browser has no room for a download of 2 MiB.',
      at: { file: ADDRESS.href },
    })
  })
})

describe('addresses', () => {
  it('stand one a line; what is none stays what it was', () => {
    expect(urlsIn(' https://a.org/x.tar \n\nftp://b/y\nnonsense\nhttp://c:99/z?q=1#h').map(String)).toEqual([
      'https://a.org/x.tar',
      'ftp://b/y',
      'nonsense',
      'http://c:99/z?q=1#h',
    ])
    expect(isAddresses('https://a.org/x\nhttps://b.org/y\n')).toBe(true)
    expect(isAddresses('see https://a.org/x')).toBe(false)
    expect(isAddresses('  \n')).toBe(false)
  })

  it.each([
    ['https://github.com/o/r/blob/main/dir/t.tar.xz', 'https://raw.githubusercontent.com/o/r/main/dir/t.tar.xz'],
    ['https://github.com/o/r/raw/v1/t.gz', 'https://raw.githubusercontent.com/o/r/v1/t.gz'],
    ['https://gist.github.com/someone/0123abcd', 'https://gist.githubusercontent.com/someone/0123abcd/raw'],
    ['https://gitlab.example.org/g/p/-/blob/main/t.gz', 'https://gitlab.example.org/g/p/-/raw/main/t.gz'],
    [
      'https://git.kernel.org/pub/scm/x.git/tree/t.txt?h=next',
      'https://git.kernel.org/pub/scm/x.git/plain/t.txt?h=next',
    ],
    ['https://bugzilla.kernel.org/attachment.cgi?id=7&action=edit', 'https://bugzilla.kernel.org/attachment.cgi?id=7'],
    ['https://pastebin.com/AbCd', 'https://pastebin.com/raw/AbCd'],
    ['https://www.dropbox.com/s/x/t.gz?dl=0', 'https://dl.dropboxusercontent.com/s/x/t.gz?dl=0'],
    ['https://example.org/blob/t.gz', 'https://example.org/blob/t.gz'],
    ['https://github.com/o/r/releases/download/v1/t.gz', 'https://github.com/o/r/releases/download/v1/t.gz'],
  ])('%s', (shown, raw) => {
    expect(rawUrl(new URL(shown)).href).toBe(raw)
  })
})
