//! Finds where a recording of blktrace is cut into sections, which are read at once. The files of
//! CPUs are in time order, so a time is one place in each of them, and a search by interpolation
//! finds it in a few excerpts. An excerpt may begin within a record; `ItemPlaces` finds the first
//! complete one. Anything unusual ends the search, and fewer sections are read.

use rustc_hash::FxHashMap;
use seekscope_formats::blktrace::ItemPlaces;
use serde::{Serialize, Serializer};

/// Bytes that are looked at around a place.
pub const EXCERPT: usize = 16 << 10;
/// Bytes of a section: less is read faster than it is handed over, and more would wait in memory
/// for its turn.
const SECTION: u64 = 32 << 20;
/// A trace of less than this is read as a whole.
const MIN_TRACE_BYTES: u64 = 24 << 20;
/// Part of a section that is read before it, and at least so many bytes of its largest file: what
/// is in flight there is not known.
const BEFORE: u64 = 32;
const MIN_BYTES_BEFORE: u64 = 1 << 18;
/// Searching in more files takes longer than it saves.
const MAX_FILES: usize = 64;
/// Limit for the excerpts of one search.
const MAX_STEPS: usize = 64;

/// A section: its time, and of each file the byte from which on it is read to know what is in
/// flight, and the byte at which it begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionPlaces {
    /// Time on the trace clock, in JSON as decimal digits. Every item before `begin` is earlier.
    #[serde(serialize_with = "digits")]
    pub time: u64,
    pub before: Vec<u64>,
    pub begin: Vec<u64>,
}

/// A recording in sections; each ends where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cuts {
    /// Time of the first event or message, of the trace clock; in JSON as decimal digits.
    #[serde(serialize_with = "digits")]
    pub origin: u64,
    /// The sections after the first one, which begins at byte 0.
    pub sections: Vec<SectionPlaces>,
}

fn digits<S: Serializer>(time: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

/// Excerpts that are needed to go on, or that there is no way to cut the recording.
enum Stop {
    Wanted(Vec<(usize, u64)>),
    Uncut,
}

/// All answers, or if some are missing, every excerpt that is needed for them.
fn all<T>(answers: impl Iterator<Item = Result<T, Stop>>) -> Result<Vec<T>, Stop> {
    let (mut found, mut needed) = (Vec::new(), Vec::new());
    for answer in answers {
        match answer {
            Ok(answer) => found.push(answer),
            Err(Stop::Wanted(excerpts)) => needed.extend(excerpts),
            Err(Stop::Uncut) => return Err(Stop::Uncut),
        }
    }
    if needed.is_empty() {
        Ok(found)
    } else {
        Err(Stop::Wanted(needed))
    }
}

/// Finds the cuts, one after another. It says which excerpts it needs.
#[derive(Clone, Debug, Default)]
pub struct CutFinder {
    sizes: Vec<u64>,
    /// Number of sections to find, the first included.
    sections: u64,
    least_before: u64,
    origin: Option<u64>,
    found: Vec<SectionPlaces>,
    /// Excerpts of the search for the next one.
    items: FxHashMap<(usize, u64, bool), ItemPlaces>,
    excerpts: FxHashMap<(usize, u64), Vec<u8>>,
}

impl CutFinder {
    /// Finds the cuts of files with these sizes if they are worth several workers, else none.
    pub fn new(sizes: Vec<u64>) -> CutFinder {
        let bytes = sizes.iter().copied().fold(0, u64::saturating_add);
        let suits = sizes.len() <= MAX_FILES && bytes >= MIN_TRACE_BYTES;
        CutFinder {
            least_before: MIN_BYTES_BEFORE,
            ..CutFinder::with_sections(sizes, if suits { (bytes / SECTION).max(2) } else { 1 })
        }
    }

    /// Finds the cuts of files of any size into so many sections.
    pub fn with_sections(sizes: Vec<u64>, sections: u64) -> CutFinder {
        CutFinder {
            sizes,
            sections,
            least_before: 1 << 13,
            ..CutFinder::default()
        }
    }

    /// Files and first bytes of the excerpts that are needed next; none when all cuts are found.
    pub fn wanted(&mut self) -> Vec<(usize, u64)> {
        match self.find() {
            Err(Stop::Wanted(excerpts)) => excerpts,
            _ => Vec::new(),
        }
    }

    /// Takes up to [`EXCERPT`] bytes of a file from a byte on.
    pub fn take(&mut self, file: usize, byte: u64, bytes: Vec<u8>) {
        self.excerpts.insert((file, byte), bytes);
    }

    /// The sections found so far, from a number on; `None` if there are none. Each but the last one
    /// ends where the next one begins.
    pub fn cuts(&self, from: usize) -> Option<Cuts> {
        let sections = self
            .found
            .get(from..)
            .filter(|found| !found.is_empty())?
            .to_vec();
        Some(Cuts {
            origin: self.origin?,
            sections,
        })
    }

    fn find(&mut self) -> Result<(), Stop> {
        let largest = (0..self.sizes.len())
            .max_by_key(|&file| self.sizes[file])
            .ok_or(Stop::Uncut)?;
        if self.sections < 2 {
            return Err(Stop::Uncut);
        }
        let origin = match self.origin {
            Some(origin) => origin,
            None => self.begin()?,
        };
        self.origin = Some(origin);
        while self.found.len() as u64 + 1 < self.sections {
            match self.section(largest, origin) {
                Ok(section) => self.found.push(section),
                // No further cut can be found: what follows is one section.
                Err(Stop::Uncut) => self.sections = self.found.len() as u64 + 1,
                Err(wanted) => return Err(wanted),
            }
            self.items.clear();
        }
        Ok(())
    }

    /// The section after those that were found.
    fn section(&mut self, largest: usize, origin: u64) -> Result<SectionPlaces, Stop> {
        let middle = (u128::from(self.sizes[largest]) * (self.found.len() as u128 + 1)
            / u128::from(self.sections)) as u64;
        let length = self.sizes[largest] / self.sections;
        let before = middle.saturating_sub((length / BEFORE).max(self.least_before));
        let times = [before, middle].map(|byte| {
            if byte == 0 {
                Ok(origin)
            } else {
                self.first(largest, byte, false)
            }
        });
        let [from, time] = all(times.into_iter())?[..] else {
            return Err(Stop::Uncut);
        };
        let files = self.sizes.len();
        let places = (0..2 * files)
            .map(|i| self.place(i % files, if i < files { from } else { time }, origin));
        let mut before = all(places.collect::<Vec<_>>().into_iter())?;
        let begin = before.split_off(files);
        let ascends = self.found.last().is_none_or(|last| last.begin < begin);
        if ascends {
            Ok(SectionPlaces {
                time,
                before,
                begin,
            })
        } else {
            Err(Stop::Uncut)
        }
    }

    /// Time of the first item of all files.
    fn begin(&mut self) -> Result<u64, Stop> {
        let files: Vec<usize> = (0..self.sizes.len())
            .filter(|&file| self.sizes[file] > 0)
            .collect();
        let first: Vec<_> = files
            .into_iter()
            .map(|file| self.first(file, 0, true))
            .collect();
        Ok(all(first.into_iter())?
            .into_iter()
            .min()
            .unwrap_or(u64::MAX))
    }

    /// The items of an excerpt; their positions are those of the file.
    fn items(&mut self, file: usize, byte: u64, aligned: bool) -> Result<&ItemPlaces, Stop> {
        let key = (file, byte, aligned);
        if !self.items.contains_key(&key) {
            let bytes = self
                .excerpts
                .get(&(file, byte))
                .ok_or_else(|| Stop::Wanted(vec![(file, byte)]))?;
            self.items.insert(key, ItemPlaces::find(bytes, aligned));
            self.excerpts.remove(&(file, byte));
        }
        self.items.get(&key).ok_or(Stop::Uncut)
    }

    /// Time of the first item from a byte on.
    fn first(&mut self, file: usize, byte: u64, aligned: bool) -> Result<u64, Stop> {
        self.items(file, byte, aligned)?
            .items
            .first()
            .map(|item| item.1)
            .ok_or(Stop::Uncut)
    }

    /// Begin of the first item of a file at a time or after it; the file's end if there is none.
    fn place(&mut self, file: usize, time: u64, origin: u64) -> Result<u64, Stop> {
        // Items of a file before `low` are earlier, and a record begins there; the item at `high`
        // is not earlier.
        let last = self.found.iter().rev().find(|last| last.time <= time);
        let (mut low, mut high) = (
            last.map_or((0, origin), |last| (last.begin[file], last.time)),
            (self.sizes[file], u64::MAX),
        );
        for step in 0..MAX_STEPS {
            let rest = high.0 - low.0;
            if rest == 0 {
                return Ok(high.0);
            }
            let elapsed = |from: u64, to: u64| to.saturating_sub(from).max(1) as f64;
            let share = if step % 3 == 2 || high.1 == u64::MAX && low.0 == 0 {
                0.5
            } else if high.1 == u64::MAX {
                // About as many bytes a second as up to here.
                (low.0 as f64 / elapsed(origin, low.1) * elapsed(low.1, time) / rest as f64)
                    .min(1.0)
            } else {
                elapsed(low.1, time) / elapsed(low.1, high.1)
            };
            let near = (rest as f64 * share) as u64;
            let aligned = rest <= EXCERPT as u64 || near < EXCERPT as u64 / 2;
            let byte = if aligned {
                low.0
            } else {
                low.0 + near - EXCERPT as u64 / 2
            };
            let places = self.items(file, byte, aligned)?;
            let after = places.items.partition_point(|item| item.1 < time);
            let place = |item: &(usize, u64)| (byte + item.0 as u64, item.1);
            match (
                places.items.get(after).map(place),
                after.checked_sub(1).map(|i| place(&places.items[i])),
            ) {
                (Some(found), before) if before.is_some() || aligned => return Ok(found.0),
                (Some(found), _) if found.0 < high.0 => high = found,
                (None, before) if places.end > 0 && byte + places.end as u64 > low.0 => {
                    low = (
                        byte + places.end as u64,
                        before.map_or(low.1, |item| item.1),
                    );
                }
                _ => return Err(Stop::Uncut),
            }
        }
        Err(Stop::Uncut)
    }
}
