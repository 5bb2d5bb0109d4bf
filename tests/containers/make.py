#!/usr/bin/env python3
"""Packs two recordings of ../fixtures in every container. Needs the zstd program; everything else is Python's own."""
import bz2, gzip, io, lzma, os, subprocess, tarfile, zipfile
from email.message import EmailMessage

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, '../fixtures')


def files(folder):
    names = sorted(os.listdir(os.path.join(FIXTURES, folder)))
    return [(f'{folder}/{n}', open(os.path.join(FIXTURES, folder, n), 'rb').read()) for n in names]


def tar(entries, form=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=form) as t:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


class Pipe(io.BytesIO):
    """Cannot go back, so sizes are written behind the data."""
    def seekable(self):
        return False
    def seek(self, *_):
        raise io.UnsupportedOperation
    def tell(self):
        raise io.UnsupportedOperation


def zipped(entries, out, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(out, 'w', method) as z:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            z.writestr(info, data)
    return out.getvalue()


def zstd(data):
    return subprocess.run(['zstd', '-q', '-19', '-c'], input=data, capture_output=True, check=True).stdout


def gz(data):
    return gzip.compress(data, 9, mtime=0)


def mail(text, name, data):
    m = EmailMessage()
    m['From'] = 'Jan <jan@example.org>'
    m['To'] = 'linux-block@example.org'
    m['Subject'] = 'I/O errors with 6.12'
    m['Date'] = 'Tue, 03 Mar 2026 10:11:12 +0100'
    m.set_content(text)
    m.add_attachment(data, maintype='application', subtype='gzip', filename=name)
    m.set_boundary('=-boundary')
    return m.as_bytes()


def save(name, data):
    with open(os.path.join(HERE, name), 'wb') as f:
        f.write(data)


a, b = files('io-errors'), files('write-zeroes')
notes = [('io-errors/uname.txt', b'Linux 6.12.0\n'), ('io-errors/._trace.blktrace.0', b'leftover'), ('io-errors/photo.jpg', b'\xff\xd8\xff\xe0' + bytes(60))]
run = tar(a + notes)
save('run.tar', run)
save('run.tar.gz', gz(run))
save('run.tar.bz2', bz2.compress(run))
save('run.tar.xz', lzma.compress(run))
save('run.tar.zst', zstd(run))
save('run.zip', zipped(a + notes, io.BytesIO()))
save('run-stored.zip', zipped(a, io.BytesIO(), zipfile.ZIP_STORED))
save('run-bzip2.zip', zipped(a, io.BytesIO(), zipfile.ZIP_BZIP2))
save('run-streamed.zip', zipped(a, Pipe()))
save('run.eml', mail('The trace is attached.\n-- \nJan\n', 'run.tar.gz', gz(run)))
long = [('a-name-longer-than-the-hundred-bytes-of-a-header/' * 3 + n, d) for n, d in a]
save('run-pax.tar', tar(long, tarfile.PAX_FORMAT))
save('run-gnu.tar', tar(long, tarfile.GNU_FORMAT))
save('outside.tar', tar([('../../etc/' + n.split('/')[1], d) for n, d in a[:1]] + [('/' + n, d) for n, d in a[1:]]))
save('two-runs.tar.xz', lzma.compress(tar([(n + '.gz', gz(d)) for n, d in a + b])))
whole = a[1][1]
parts = whole[:4001], whole[4001:]
save('trace.blktrace.1.gz', b''.join(map(gz, parts)) + bytes(512))
save('trace.blktrace.1.bz2', b''.join(map(bz2.compress, parts)))
save('trace.blktrace.1.xz', b''.join(map(lzma.compress, parts)))
skippable = bytes([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]) + b'abc'
save('trace.blktrace.1.zst', zstd(parts[0]) + skippable + zstd(parts[1]))
save('bomb.zst', zstd(bytes(300 << 20)))
