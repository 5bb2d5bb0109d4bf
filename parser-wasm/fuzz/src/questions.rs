//! Questions: those of the page about a trace, and any others.

use crate::road::read;
use crate::seeds;
use seekscope_core::plot::{Answer, AnswerValue, BadQuery, Index, View, answer};
use seekscope_core::store::Store;
use serde_json::{Value as Json, json};

/// More cells than any picture has.
const MAX_CELLS: usize = 8192 * 8192;

/// What the page asks about a device of a trace.
#[expect(clippy::too_many_lines, reason = "a table: one question of each kind")]
pub(crate) fn page(store: &Store, device: usize) -> Vec<(&'static str, Json)> {
    let span = store.span() as f64;
    let high = store
        .requests
        .len()
        .checked_sub(1)
        .map_or(8.0, |last| store.requests.row(last).sector() as f64 + 8.0);
    let geometry = json!({ "level": "raid5", "unit": 128, "dataDisks": 3, "start": 63 });
    let mut all = Vec::new();
    for (t0, t1) in [(0.0, span + 1.0), (span * 0.4, span * 0.6)] {
        let range = json!({ "t0": t0, "t1": t1 });
        let filter = json!({ "device": device, "geometry": geometry, "hideOps": ["discard"] });
        let band = json!({ "lba0": 0, "lba1": high, "y0": 0, "y1": 40 });
        let map = |layer| json!({ "filter": filter, "range": range, "bands": [band], "w": 50, "h": 40, "layer": layer, "marks": 300 });
        all.push(("seekMap", map("op")));
        all.push(("seekMap", map("alignment")));
        all.push(("facets", json!({ "filter": filter, "range": range })));
        all.push((
            "bands",
            json!({ "filter": filter, "range": range, "most": 5, "gapShare": 0.05 }),
        ));
        all.push((
            "depth",
            json!({ "device": device, "range": range, "n": 50 }),
        ));
        all.push((
            "starved",
            json!({ "device": device, "range": range, "most": 100 }),
        ));
        all.push(("rate", json!({ "filter": filter, "range": range, "n": 50 })));
        for stage in ["q2c", "d2c", "q2d"] {
            let grid = json!({ "filter": filter, "range": range, "stage": stage, "w": 40, "h": 30, "low": 1000, "high": 1e10 });
            all.push(("latencyGrid", grid));
            all.push((
                "distribution",
                json!({ "filter": filter, "range": range, "stage": stage }),
            ));
            all.push(("slowest", json!({ "filter": filter, "range": range, "stage": stage, "low": 1000, "high": span })));
        }
        all.push(("stages", json!({ "filter": filter, "range": range })));
        for percentile in [json!(null), json!(0.99)] {
            all.push((
                "tail",
                json!({ "filter": filter, "range": range, "percentile": percentile }),
            ));
        }
        for moment in ["queued", "issued", "completed"] {
            all.push((
                "sizes",
                json!({ "filter": filter, "range": range, "at": moment }),
            ));
        }
        all.push((
            "alignment",
            json!({ "filter": filter, "range": range, "geometry": geometry }),
        ));
        all.push((
            "stripeTime",
            json!({ "filter": filter, "range": range, "geometry": geometry, "w": 9, "h": 7 }),
        ));
        all.push((
            "hit",
            json!({ "filter": filter, "t": t0, "lba": high / 2.0, "dt": span, "dlba": high }),
        ));
        for (step, most) in [(span / 9.0, 200), (1.0, 3)] {
            let window = span / 5.0;
            let moments = json!({ "filter": filter, "at": t0, "step": step, "n": 12, "window": window, "layer": "op", "most": most });
            all.push(("playback", moments));
        }
        for direction in [-1, 1] {
            all.push((
                "nextStep",
                json!({ "filter": filter, "t": t0, "by": direction }),
            ));
        }
        for sort in ["time", "latency", "size", "lba"] {
            let table = json!({ "filter": filter, "range": range, "sort": sort, "descending": true, "offset": 3, "limit": 50 });
            all.push(("requests", table));
        }
        let wanted = json!({ "devices": [device], "range": range, "text": ["w"] });
        for filter in [json!({}), wanted] {
            all.push((
                "events",
                json!({ "filter": filter, "offset": 5, "limit": 50 }),
            ));
            all.push((
                "eventText",
                json!({ "filter": filter, "offset": 0, "limit": 50 }),
            ));
            all.push((
                "findEvent",
                json!({ "filter": filter, "time": t0, "sector": high }),
            ));
        }
        all.push(("summary", json!({ "range": range, "geometry": geometry })));
    }
    for row in 0..store.requests.len().min(5) {
        all.push(("life", json!({ "row": row, "geometry": geometry })));
        let device = store.requests.row(row).device();
        all.push((
            "tail",
            json!({ "filter": { "device": device }, "range": { "t0": 0, "t1": 0 }, "row": row }),
        ));
    }
    for entry in 0..store.events.len().min(5) {
        all.push(("eventRequest", json!({ "entry": entry })));
    }
    all
}

struct Fixture {
    store: Store,
    index: Index,
}

thread_local! {
    /// The trace that is queried: part of a recording, small enough for many queries per second.
    static FIXTURE: Fixture = {
        let store = read(&[("sda.blktrace.0", &seeds::start_of("requeue", 24 << 10))], 1 << 20, false).expect("a real recording");
        let index = Index::new(&store);
        Fixture { store, index }
    };
}

/// The questions of the page about the fixture, as `any` takes them.
pub(crate) fn written() -> Vec<Vec<u8>> {
    FIXTURE
        .with(|f| page(&f.store, 0))
        .into_iter()
        .map(|(kind, ask)| format!("{kind}\n{ask}").into_bytes())
        .collect()
}

/// The target: a kind, a line end, and the JSON of the parameters.
pub(crate) fn any(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (kind, ask) = text.split_once('\n').unwrap_or((&text, "{}"));
    FIXTURE.with(|Fixture { store, index }| {
        for index in [index, &Index::default()] {
            check(kind, answer(View { store, index }, kind, ask));
        }
    });
}

/// A refusal must have words, and an answer bounded lists of finite numbers.
fn check(kind: &str, answered: Result<Answer, BadQuery>) {
    let properties = match answered {
        Err(refusal) => return assert!(!refusal.0.is_empty()),
        Ok(Answer::Json(_) | Answer::Text(_)) => return,
        Ok(Answer::Object(properties)) => properties,
    };
    for (name, value) in properties {
        let (n, finite) = match value {
            AnswerValue::F64(v) => (v.len(), v.iter().all(|x| !x.is_infinite())),
            AnswerValue::U32(v) => (v.len(), true),
            AnswerValue::U8(v) => (v.len(), true),
            _ => (0, true),
        };
        assert!(n <= MAX_CELLS && finite, "{kind} {name}: {n} numbers");
    }
}
